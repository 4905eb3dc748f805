"""The domain `retail`: orders of a web shop."""

from collections.abc import Sequence
from typing import Any

from helm.agents.tau2.domain import READ, WRITE, CompanyTools, Domain, tool_kind

_REASONS = ("no longer needed", "ordered by mistake")
_GIFT_CARD = "gift_card"
_ORDER_FIELDS = (
    "cancel_reason",
    "exchange_items",
    "exchange_new_items",
    "exchange_payment_method_id",
    "exchange_price_difference",
    "return_items",
    "return_payment_method_id",
)


class RetailTools(CompanyTools):
    """What the shop's agent can do."""

    def _order(self, order_id: str) -> dict[str, Any]:
        return _get(self.db["orders"], order_id, "Order")

    def _user(self, user_id: str) -> dict[str, Any]:
        return _get(self.db["users"], user_id, "User")

    def _payment_method(self, user_id: str, method_id: str) -> dict[str, Any]:
        return _get(self._user(user_id)["payment_methods"], method_id, "Payment method")

    def _variant(self, product_id: str, item_id: str) -> dict[str, Any]:
        return _get(_get(self.db["products"], product_id, "Product")["variants"], item_id, "Variant")

    @tool_kind(WRITE)
    def cancel_pending_order(self, order_id: str, reason: str) -> dict[str, Any]:
        """Cancel a pending order, once the user has confirmed it. Its payments are returned.

        Args:
            order_id: with the '#' at its beginning.
            reason: 'no longer needed' or 'ordered by mistake'.
        """
        order = self._order(order_id)
        if order["status"] != "pending":
            raise ValueError("Non-pending order cannot be cancelled")
        if reason not in _REASONS:
            raise ValueError("Invalid reason")
        refunds = []
        for payment in order["payment_history"]:
            method_id = payment["payment_method_id"]
            refunds.append(_entry("refund", payment["amount"], method_id))
            self._credit(self._payment_method(order["user_id"], method_id), payment["amount"])
        order.update(status="cancelled", cancel_reason=reason)
        order["payment_history"].extend(refunds)
        return order

    def _credit(self, method: dict[str, Any], amount: float) -> None:
        if method["source"] == _GIFT_CARD:
            method["balance"] = round(method["balance"] + amount, 2)

    @tool_kind(WRITE)
    def exchange_delivered_order_items(
        self, order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str
    ) -> dict[str, Any]:
        """Exchange items of a delivered order for others of the same products; once only, and after the user's confirmation.

        Args:
            order_id: with the '#' at its beginning.
            item_ids: what is given back; an item may be there twice.
            new_item_ids: what is sent instead, in the same order.
            payment_method_id: pays or receives the difference of the prices.
        """
        order = self._order(order_id)
        if order["status"] != "delivered":
            raise ValueError("Non-delivered order cannot be exchanged")
        owned = [item["item_id"] for item in order["items"]]
        for item_id in item_ids:
            if item_ids.count(item_id) > owned.count(item_id):
                raise ValueError(f"Number of {item_id} not found.")
        if len(item_ids) != len(new_item_ids):
            raise ValueError("The number of items to be exchanged should match.")
        difference = round(self._difference(order, item_ids, new_item_ids), 2)
        method = self._payment_method(order["user_id"], payment_method_id)
        if method["source"] == _GIFT_CARD and method["balance"] < difference:
            raise ValueError("Insufficient gift card balance to pay for the price difference")
        order.update(
            status="exchange requested",
            exchange_items=sorted(item_ids),
            exchange_new_items=sorted(new_item_ids),
            exchange_payment_method_id=payment_method_id,
            exchange_price_difference=difference,
        )
        return order

    def _difference(self, order: dict[str, Any], item_ids: Sequence[str], new_item_ids: Sequence[str]) -> float:
        """Return how much more the new items cost. Raises: ValueError."""
        difference = 0.0
        for item_id, new_item_id in zip(item_ids, new_item_ids, strict=True):
            item = next((item for item in order["items"] if item["item_id"] == item_id), None)
            if item is None:
                raise ValueError(f"Item {item_id} not found")
            variant = self._variant(item["product_id"], new_item_id)
            if not variant["available"]:
                raise ValueError(f"New item {new_item_id} not found or available")
            difference += variant["price"] - item["price"]
        return difference

    @tool_kind(READ)
    def find_user_id_by_name_zip(self, first_name: str, last_name: str, zip: str) -> str:
        """Find a user by name and postal code, if there is no e-mail address.

        Args:
            first_name: of the customer.
            last_name: of the customer.
            zip: the postal code of the address.
        """
        wanted = (first_name.lower(), last_name.lower(), zip)
        for user_id, user in self.db["users"].items():
            name = user["name"]
            if (name["first_name"].lower(), name["last_name"].lower(), user["address"]["zip"]) == wanted:
                return str(user_id)
        raise ValueError("User not found")

    @tool_kind(READ)
    def find_user_id_by_email(self, email: str) -> str:
        """Find a user by e-mail address.

        Args:
            email: the address.
        """
        for user_id, user in self.db["users"].items():
            if user["email"].lower() == email.lower():
                return str(user_id)
        raise ValueError("User not found")

    @tool_kind(READ)
    def get_order_details(self, order_id: str) -> dict[str, Any]:
        """Show an order: status, items, payments.

        Args:
            order_id: with the '#' at its beginning.
        """
        return self._order(order_id)

    @tool_kind(READ)
    def get_product_details(self, product_id: str) -> dict[str, Any]:
        """Show a product with its variants.

        Args:
            product_id: of the product, which is not that of an item.
        """
        return _get(self.db["products"], product_id, "Product")

    @tool_kind(READ)
    def get_item_details(self, item_id: str) -> dict[str, Any]:
        """Show an item, which is a variant of a product.

        Args:
            item_id: of the item, which is not that of a product.
        """
        for product in self.db["products"].values():
            if item_id in product["variants"]:
                return dict(product["variants"][item_id])
        raise ValueError("Item not found")

    @tool_kind(READ)
    def get_user_details(self, user_id: str) -> dict[str, Any]:
        """Show a user: address, payment methods, orders.

        Args:
            user_id: such as 'ada_king_1234'.
        """
        return self._user(user_id)

    @tool_kind(READ)
    def list_all_product_types(self) -> dict[str, str]:
        """List the products of the shop with their ids."""
        return dict(sorted((product["name"], product["product_id"]) for product in self.db["products"].values()))

    @tool_kind(WRITE)
    def modify_pending_order_address(
        self, order_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
    ) -> dict[str, Any]:
        """Change where a pending order is sent to, once the user has confirmed it.

        Args:
            order_id: with the '#' at its beginning.
            address1: street and number.
            address2: further part of the address; may be empty.
            city: the town.
            state: the state.
            country: the country.
            zip: the postal code.
        """
        order = self._order(order_id)
        if "pending" not in order["status"]:
            raise ValueError("Non-pending order cannot be modified")
        order["address"] = _address(address1, address2, city, state, country, zip)
        return order

    @tool_kind(WRITE)
    def modify_pending_order_items(
        self, order_id: str, item_ids: list[str], new_item_ids: list[str], payment_method_id: str
    ) -> dict[str, Any]:
        """Change items of a pending order to others of the same products; once only, and after the user's confirmation.

        Args:
            order_id: with the '#' at its beginning.
            item_ids: what is replaced; an item may be there twice.
            new_item_ids: what comes instead, in the same order.
            payment_method_id: pays or receives the difference of the prices.
        """
        order = self._order(order_id)
        if order["status"] != "pending":
            raise ValueError("Non-pending order cannot be modified")
        owned = [item["item_id"] for item in order["items"]]
        for item_id in item_ids:
            if item_ids.count(item_id) > owned.count(item_id):
                raise ValueError(f"{item_id} not found")
        if len(item_ids) != len(new_item_ids):
            raise ValueError("The number of items to be exchanged should match")
        difference = self._difference(order, item_ids, new_item_ids)
        method = self._payment_method(order["user_id"], payment_method_id)
        if method["source"] == _GIFT_CARD and method["balance"] < difference:
            raise ValueError("Insufficient gift card balance to pay for the new item")
        kind = "payment" if difference > 0 else "refund"
        order["payment_history"].append(_entry(kind, abs(difference), payment_method_id))
        self._credit(method, -difference)
        items = [next(item for item in order["items"] if item["item_id"] == item_id) for item_id in item_ids]
        last = self._variant(items[-1]["product_id"], new_item_ids[-1]) if items else {}
        for item, new_item_id in zip(items, new_item_ids, strict=True):
            # All get price and options of the last one, as in the original: hashes of right conversations depend on it.
            item.update(item_id=new_item_id, price=last["price"], options=last["options"])
        order["status"] = "pending (item modified)"
        return order

    @tool_kind(WRITE)
    def modify_pending_order_payment(self, order_id: str, payment_method_id: str) -> dict[str, Any]:
        """Pay a pending order in another way, once the user has confirmed it.

        Args:
            order_id: with the '#' at its beginning.
            payment_method_id: the new way.
        """
        order = self._order(order_id)
        if "pending" not in order["status"]:
            raise ValueError("Non-pending order cannot be modified")
        method = self._payment_method(order["user_id"], payment_method_id)
        history = order["payment_history"]
        if len(history) != 1 or history[0]["transaction_type"] != "payment":
            raise ValueError("There should be exactly one payment for a pending order")
        old_id, amount = history[0]["payment_method_id"], history[0]["amount"]
        if old_id == payment_method_id:
            raise ValueError("The new payment method should be different from the current one")
        if method["source"] == _GIFT_CARD and method["balance"] < amount:
            raise ValueError("Insufficient gift card balance to pay for the order")
        history += [_entry("payment", amount, payment_method_id), _entry("refund", amount, old_id)]
        self._credit(method, -amount)
        self._credit(self._payment_method(order["user_id"], old_id), amount)
        return order

    @tool_kind(WRITE)
    def modify_user_address(
        self, user_id: str, address1: str, address2: str, city: str, state: str, country: str, zip: str
    ) -> dict[str, Any]:
        """Change the default address of a user, once the user has confirmed it.

        Args:
            user_id: such as 'ada_king_1234'.
            address1: street and number.
            address2: further part of the address; may be empty.
            city: the town.
            state: the state.
            country: the country.
            zip: the postal code.
        """
        user = self._user(user_id)
        user["address"] = _address(address1, address2, city, state, country, zip)
        return user

    @tool_kind(WRITE)
    def return_delivered_order_items(
        self, order_id: str, item_ids: list[str], payment_method_id: str
    ) -> dict[str, Any]:
        """Return items of a delivered order, once the user has confirmed it.

        Args:
            order_id: with the '#' at its beginning.
            item_ids: what is given back; an item may be there twice.
            payment_method_id: receives the money: the method that has paid, or a gift card.
        """
        order = self._order(order_id)
        if order["status"] != "delivered":
            raise ValueError("Non-delivered order cannot be returned")
        method = self._payment_method(order["user_id"], payment_method_id)
        if method["source"] != _GIFT_CARD and payment_method_id != order["payment_history"][0]["payment_method_id"]:
            raise ValueError("Payment method should be the original payment method")
        owned = [item["item_id"] for item in order["items"]]
        if any(item_ids.count(item_id) > owned.count(item_id) for item_id in item_ids):
            raise ValueError("Some item not found")
        order.update(
            status="return requested", return_items=sorted(item_ids), return_payment_method_id=payment_method_id
        )
        return order


def _get(table: dict[str, Any], key: str, what: str) -> dict[str, Any]:
    if key not in table:
        raise ValueError(f"{what} not found")
    return table[key]


def _entry(kind: str, amount: float, method_id: str) -> dict[str, Any]:
    return {"transaction_type": kind, "amount": amount, "payment_method_id": method_id}


def _address(address1: str, address2: str, city: str, state: str, country: str, zip_code: str) -> dict[str, str]:
    return {
        "address1": address1,
        "address2": address2,
        "city": city,
        "country": country,
        "state": state,
        "zip": zip_code,
    }


class RetailDomain(Domain):
    """A web shop."""

    name = "retail"
    tools_class = RetailTools

    def typed(self, db: dict[str, Any]) -> dict[str, Any]:
        """Add the fields of orders that are absent."""
        for order in db["orders"].values():
            for field in _ORDER_FIELDS:
                order.setdefault(field, None)
        return db
