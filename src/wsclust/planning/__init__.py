"""What a study will be able to tell, before its data are gathered."""
