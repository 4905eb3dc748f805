"""The vocabulary of YaLM 100B, `voc_100b.sp`, if it is put into this folder, and the class that reads it."""
