"""How long a peer waits for what is to come; see tests/support/eventually.hpp."""
import os

PATIENCE_S = int(os.environ.get("DAMRAK_TEST_PATIENCE", "600"))
