"""Reads a long list in a YAML file item by item; as a whole, its syntax tree takes thirty times the memory of the file."""

from collections.abc import Hashable, Iterator
from functools import cache
from typing import Any

from helm.common.errors import ConfigError
from helm.common.files import load_yaml

_WHOLE, _MERGED = object(), object()
"""Stand for the key of a file that is no mapping, and of entries that are those of another mapping (`<<`)."""

_MERGE_TAG = "tag:yaml.org,2002:merge"


class YamlItems:
    """A YAML file with a mapping, one value of which is a long list.

    Args:
        path: the file.
        key: the key of the list.
    """

    def __init__(self, path: str, key: str):
        self._path, self._key = path, key
        self._items: list[Any] | None = None

    def read_rest(self) -> Any:
        """Return what the safe loader returns, with an empty list in place of the long one. To be called first.

        Raises: ConfigError that names the line if the file is not YAML.
        """
        found: dict[Any, Any] = {}
        for key, value in self._read(of_list=False):
            if key is _WHOLE:
                return value
            if key is _MERGED or key == self._key and key in found:  # of two lists, the later one counts
                return self._read_at_once()
            found[key] = value
        return found

    def _read_at_once(self) -> Any:
        """Read the whole file, whose mapping takes entries over from another one, or has the list twice."""
        found, self._items = load_yaml(self._path), []
        if isinstance(found.get(self._key), list):
            self._items, found[self._key] = found[self._key], []
        return found

    def __iter__(self) -> Iterator[Any]:
        """Yield the items of the list; none if there is no list. Raises: ConfigError."""
        if self._items is not None:
            return iter(self._items)
        return (item for _, item in self._read(of_list=True))

    def _read(self, of_list: bool) -> Iterator[tuple[Any, Any]]:
        """Yield the items of the list, or else keys with their values. A key may be `_WHOLE` or `_MERGED`."""
        import yaml
        from yaml import events

        with open(self._path, encoding="utf-8") as file:
            try:
                loader = _loader_class()(file)
                loader.get_event()
                if not loader.check_event(events.DocumentStartEvent):
                    if not of_list:
                        yield _WHOLE, None
                    return
                loader.get_event()
                if not loader.check_event(events.MappingStartEvent):
                    node = loader.compose_node(None, None)
                    if not of_list:
                        yield _WHOLE, loader.construct_document(node)
                    return
                loader.get_event()
                while not loader.check_event(events.MappingEndEvent):
                    node = loader.compose_node(None, None)
                    if node.tag == _MERGE_TAG:
                        yield _MERGED, None
                        return
                    key = loader.construct_document(node)
                    if not isinstance(key, Hashable):
                        raise yaml.constructor.ConstructorError(None, None, "found unhashable key", node.start_mark)
                    if key == self._key and loader.check_event(events.SequenceStartEvent):
                        loader.get_event()
                        while not loader.check_event(events.SequenceEndEvent):
                            node = loader.compose_node(None, None)  # also if it is not wanted: it may have anchors
                            if of_list:
                                yield key, loader.construct_document(node)
                        loader.get_event()
                        if not of_list:
                            yield key, []
                    else:
                        node = loader.compose_node(None, None)
                        if not of_list:
                            yield key, loader.construct_document(node)
            except yaml.YAMLError as e:
                raise ConfigError(f"{self._path} is not valid YAML: {e}") from e


@cache
def _loader_class() -> Any:
    """Return the safe loader, its parser in C where there is one, whose nodes are composed one by one."""
    import yaml
    from yaml.composer import Composer

    parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class ItemLoader(Composer, parser):
        def __init__(self, stream: Any):
            parser.__init__(self, stream)
            Composer.__init__(self)

    return ItemLoader
