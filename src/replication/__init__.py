"""The paper's replication, and studies of what it leaves open."""
