"""The climbing family (双扣): shed cards by playing higher than the last play."""
