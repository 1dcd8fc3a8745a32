"""The AI players: stateless workers that play the seats of bots, and advice on a seat's view."""
