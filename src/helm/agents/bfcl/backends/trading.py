"""The simulated stock broker."""

from datetime import UTC, datetime, timedelta
from typing import Any

from helm.agents.bfcl.backends.backend import Backend, read_tables

_NOW = datetime(2024, 9, 1, 10, 30, tzinfo=UTC)
_LONG_SECTORS = {"Technology": "TECHNOLOGY_EXTENSION", "Automobile": "AUTOMOBILE_EXTENSION"}


def _please(what: str) -> dict[str, str]:
    return {"error": f"User not authenticated. Please log in to {what}."}


class TradingBot(Backend):
    """Orders, money and a list of stocks to watch. Its clock stands still."""

    has_long_context = True

    def load(self, config: dict[str, Any]) -> None:
        """Read the orders; their numbers are integers."""
        self.data["orders"] = {_as_number(key): value for key, value in self.data["orders"].items()}

    def get_current_time(self) -> dict[str, Any]:
        return {"current_time": _NOW.strftime("%I:%M %p")}

    def get_symbol_by_name(self, name: str) -> dict[str, Any]:
        return {"symbol": read_tables()["tables"]["symbol_map"].get(name, "Stock not found")}

    def get_stock_info(self, symbol: str) -> dict[str, Any]:
        found = self.data["stocks"].get(symbol)
        if found is None:
            return {"error": f"Stock with symbol '{symbol}' not found."}
        averages = {"MA(5)": self.long_text("MA_5_EXTENSION"), "MA(20)": self.long_text("MA_20_EXTENSION")}
        return {**found, **{key: value for key, value in averages.items() if value is not None}}

    def get_order_details(self, order_id: int) -> dict[str, Any]:
        if order_id in self.data["orders"]:
            order, texts = dict(self.data["orders"][order_id]), self.long_text("ORDER_DETAIL_EXTENSION")
            if texts is not None:
                symbol = str(order["symbol"])
                order["metadata"] = {name: text.replace("{symbol}", symbol) for name, text in texts.items()}
            return order
        known = list(self.data["orders"])
        return {"error": f"Order with ID {order_id} not found.Here is the list of orders_id: {known}"}

    def cancel_order(self, order_id: int) -> dict[str, Any]:
        if order_id not in self.data["orders"]:
            return {"error": f"Order with ID {order_id} not found."}
        order = self.data["orders"][order_id]
        if order["status"] == "Completed":
            return {"error": f"Can't cancel order {order_id}. Order is already completed."}
        order["status"] = "Cancelled"
        return {"order_id": order_id, "status": "Cancelled"}

    def place_order(self, order_type: str, symbol: str, price: float, amount: int) -> dict[str, Any]:
        if not self.data["authenticated"]:
            return _please("place an order")
        if symbol not in self.data["stocks"]:
            return {"error": f"Invalid stock symbol: {symbol}"}
        if price <= 0 or amount <= 0:
            return {"error": "Price and amount must be positive values."}
        price, balance = float(price), self.data["account_info"]["balance"]
        if order_type == "Buy" and price * amount > balance:
            text = f"Insufficient funds: required ${price * amount:.2f} but only ${balance:.2f} available."
            return {"error": text}
        number = self.data["order_counter"]
        order = {"order_type": order_type, "symbol": symbol, "price": price, "amount": amount, "status": "Open"}
        self.data["orders"][number] = {"id": number, **order}
        self.data["order_counter"] = number + 1
        answer = {"order_id": number, "order_type": order_type, "status": "Pending"}
        return {**answer, "price": price, "amount": amount}

    def _move_money(self, kind: str, amount: float) -> float:
        info, start = self.data["account_info"], int(_NOW.timestamp())
        info["balance"] += amount if kind == "deposit" else -amount
        moment = self.random.randint(start, int((_NOW + timedelta(days=1)).timestamp()))
        shown = datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M:%S")
        self.data["transaction_history"].append({"type": kind, "amount": amount, "timestamp": shown})
        return float(info["balance"])

    def withdraw_funds(self, amount: float) -> dict[str, Any]:
        if not self.data["authenticated"]:
            return _please("make a transaction")
        if self.data["market_status"] != "Open":
            return {"error": "Market is closed. Transactions are not allowed."}
        if amount <= 0:
            return {"error": "Transaction amount must be positive."}
        if amount > self.data["account_info"]["balance"]:
            return {"error": "Insufficient funds for withdrawal."}
        return {"status": "Withdrawal successful", "new_balance": self._move_money("withdrawal", amount)}

    def get_account_info(self) -> dict[str, Any]:
        if not self.data["authenticated"]:
            return _please("view account information")
        return dict(self.data["account_info"])

    def trading_login(self, username: str, password: str) -> dict[str, Any]:
        if self.data["authenticated"]:
            return {"status": "Already logged in"}
        self.data["authenticated"] = True
        return {"status": "Logged in successfully"}

    def trading_get_login_status(self) -> dict[str, Any]:
        return {"status": bool(self.data["authenticated"])}

    def trading_logout(self) -> dict[str, Any]:
        if not self.data["authenticated"]:
            return {"status": "No user is currently logged in"}
        self.data["authenticated"] = False
        return {"status": "Logged out successfully"}

    def fund_account(self, amount: float) -> dict[str, Any]:
        if not self.data["authenticated"]:
            return _please("fund the account")
        if amount <= 0:
            return {"error": "Funding amount must be positive."}
        return {"status": "Account funded successfully", "new_balance": self._move_money("deposit", amount)}

    def remove_stock_from_watchlist(self, symbol: str) -> dict[str, Any]:
        if not self.data["authenticated"]:
            return _please("modify the watchlist")
        if symbol not in self.data["watch_list"]:
            return {"error": f"Stock {symbol} not found in watchlist."}
        self.data["watch_list"].remove(symbol)
        return {"status": f"Stock {symbol} removed from watchlist successfully."}

    def get_watchlist(self) -> Any:
        if not self.data["authenticated"]:
            return ["Error: User not authenticated. Please log in to view the watchlist."]
        more = self.long_text("WATCH_LIST_EXTENSION")
        return {"watchlist": self.data["watch_list"]} if more is None else [*self.data["watch_list"], *more]

    def get_order_history(self) -> Any:
        if not self.data["authenticated"]:
            return [_please("view order history")]
        return {"history": list(self.data["orders"])}

    def get_transaction_history(self, start_date: str | None = None, end_date: str | None = None) -> Any:
        if not self.data["authenticated"]:
            return [_please("view transaction history")]
        first = datetime.strptime(start_date, "%Y-%m-%d") if start_date else datetime.min
        last = datetime.strptime(end_date, "%Y-%m-%d") if end_date else datetime.max
        found = [
            item
            for item in self.data["transaction_history"]
            if first <= datetime.strptime(item["timestamp"], "%Y-%m-%d %H:%M:%S") <= last
        ]
        return {"transaction_history": found + (self.long_text("TRANSACTION_HISTORY_EXTENSION") or [])}

    def get_available_stocks(self, sector: str) -> dict[str, Any]:
        more = _LONG_SECTORS.get(sector)
        found = list(read_tables()["tables"]["sector_map"].get(sector, []))
        return {"stock_list": found + ((self.long_text(more) or []) if more is not None else [])}

    def filter_stocks_by_price(self, stocks: list[str], min_price: float, max_price: float) -> dict[str, Any]:
        known = self.data["stocks"]
        found = [stock for stock in stocks if min_price <= known.get(stock, {}).get("price", 0) <= max_price]
        return {"filtered_stocks": found}

    def add_to_watchlist(self, stock: str) -> dict[str, Any]:
        watched = self.data["watch_list"]
        if stock in self.data["stocks"] and stock not in watched:
            watched.append(stock)
        return {"watchlist": watched}

    def notify_price_change(self, stocks: list[str], threshold: float) -> dict[str, Any]:
        known = self.data["stocks"]
        changed = [stock for stock in stocks if abs(known.get(stock, {}).get("percent_change", 0)) >= threshold]
        if not changed:
            return {"notification": "No significant price changes in the selected stocks."}
        return {"notification": f"Stocks {', '.join(changed)} have significant price changes."}


def _as_number(key: Any) -> Any:
    return int(key) if isinstance(key, str) and key.isdigit() else key
