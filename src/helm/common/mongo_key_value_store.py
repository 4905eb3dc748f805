"""Responses in a MongoDB collection, laid out as HELM does."""

import json
from typing import Any, Dict, Generator, Iterable, Mapping, Optional, Tuple

from helm.common.key_value_store import KeyValueStore, request_to_key
from helm.common.optional_dependencies import handle_module_not_found_error


class MongoKeyValueStore(KeyValueStore):
    """Documents `{"request": <sorted mapping>, "response": <mapping, or JSON text where BSON refuses it>}`."""

    def __init__(self, uri: str, collection_name: str):
        try:
            from pymongo import MongoClient
        except ModuleNotFoundError as e:
            handle_module_not_found_error(e, ["mongo"])
        self._client: Any = MongoClient(uri)
        self._collection = self._client.get_default_database().get_collection(collection_name)
        self._collection.create_index("request", unique=True)

    def close(self) -> None:
        self._client.close()

    @staticmethod
    def _key(key: Mapping) -> Dict:
        return json.loads(request_to_key(key))

    @staticmethod
    def _response(document: Mapping) -> Dict:
        response = document["response"]
        return json.loads(response) if isinstance(response, str) else response

    def contains(self, key: Mapping) -> bool:
        return self.get(key) is not None

    def get(self, key: Mapping) -> Optional[Dict]:
        document = self._collection.find_one({"request": self._key(key)})
        return self._response(document) if document else None

    def get_all(self) -> Generator[Tuple[Dict, Dict], None, None]:
        for document in self._collection.find({}):
            yield document["request"], self._response(document)

    def put(self, key: Mapping, value: Dict) -> None:
        from bson.errors import InvalidDocument

        selector = {"request": self._key(key)}
        try:
            self._collection.replace_one(selector, {**selector, "response": value}, upsert=True)
        except (InvalidDocument, OverflowError):
            self._collection.replace_one(selector, {**selector, "response": json.dumps(value)}, upsert=True)

    def multi_put(self, pairs: Iterable[Tuple[Dict, Dict]]) -> None:
        for key, value in pairs:
            self.put(key, value)

    def remove(self, key: Mapping) -> None:
        if self._collection.delete_one({"request": self._key(key)}).deleted_count == 0:
            raise KeyError(request_to_key(key))
