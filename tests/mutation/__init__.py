"""Mutation testing of the modules that carry promises: would the tests notice? (`make mutants`)"""
