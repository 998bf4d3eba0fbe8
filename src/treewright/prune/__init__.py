"""Pruning: grown trees become smaller ones."""
