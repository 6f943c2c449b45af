"""`placa doctor`: looks at everything a host can get wrong and names the way out of each."""
