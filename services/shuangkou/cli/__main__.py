"""`python -m shuangkou.cli` is the `shuangkou` command."""

from shuangkou.cli.app import main

main()
