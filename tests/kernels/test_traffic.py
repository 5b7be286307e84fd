from argnp.kernels.core import Term
from argnp.kernels.traffic import step_bytes_moved


def test_bytes_of_operations_on_padded_rows():
    """10 rows of 56 numbers for a node operation, 4 of 32 for a relation operation."""
    node, relation = [Term("V_SUM", 0, 0)], [Term("E_HAD", 0, 0), Term("E_SUB", 1, 1)]
    sizes = {"nodes": 100, "relations": 70, "node_dim": 50, "edge_dim": 25, "quantum": 8}
    assert step_bytes_moved(node, [], **sizes) == 4 * 10 * 100 * 56
    assert step_bytes_moved([], relation, **sizes) == 2 * 4 * 4 * 70 * 32
    assert step_bytes_moved([Term("skip", 0, -1)], [], **sizes) == 0
