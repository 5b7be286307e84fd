"""A trained network for use without this package: as Python, as ONNX, as a torch.export program.

There is one way: the network is written out as plain torch, with its weights under the names
of that text; the other formats are traced from the module that the text defines.
"""

from argnp.model.export.formats import export
from argnp.model.export.module import Exported, write_out
from argnp.model.export.packaged import export_folder, export_model

__all__ = ["Exported", "export", "export_folder", "export_model", "write_out"]
