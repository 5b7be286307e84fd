from argnp.kernels.core import Term
from argnp.kernels.traffic import cell_bytes_moved, step_bytes_moved


def test_bytes_of_operations_on_padded_rows():
    """10 rows of 56 numbers for a node operation, 4 of 32 for a relation operation."""
    node, relation = [Term("V_SUM", 0, 0)], [Term("E_HAD", 0, 0), Term("E_SUB", 1, 1)]
    sizes = {"nodes": 100, "relations": 70, "node_dim": 50, "edge_dim": 25, "quantum": 8}
    assert step_bytes_moved(node, [], **sizes) == 4 * 10 * 100 * 56
    assert step_bytes_moved(node, [], **sizes, hidden=False) == 4 * 6 * 100 * 56
    assert step_bytes_moved([], relation, **sizes) == 2 * 4 * 4 * 70 * 32
    assert step_bytes_moved([Term("skip", 0, -1)], [], **sizes) == 0


def test_node_mlps_are_kept_while_there_is_room():
    """A vertex with one sum keeps 4 rows of 56 a node, without its MLP 2."""
    sizes = {"nodes": 100, "relations": 70, "node_dim": 50, "edge_dim": 25, "quantum": 8}
    vertex, row = ([Term("V_SUM", 0, 0)], []), 100 * 56
    moved = [cell_bytes_moved([vertex] * 2, **sizes, room=room * row) for room in (8, 7, 3)]
    assert moved == [4 * row * (10 + 10), 4 * row * (10 + 6), 4 * row * (6 + 6)]
