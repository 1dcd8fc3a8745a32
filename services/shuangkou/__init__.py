"""The shuangkou suite: services for the four-player card games 双扣 and 双升."""
