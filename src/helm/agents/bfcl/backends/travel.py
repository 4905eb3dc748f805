"""The simulated travel agency."""

from datetime import date, datetime
from typing import Any

from helm.agents.bfcl.backends.backend import Backend, read_tables

_CLASSES = {"economy": 1, "business": 2, "first": 5}
_ADULT = 18
_INVOICE = ("travel_date", "travel_from", "travel_to", "travel_class", "travel_cost", "transaction_id")


class TravelAPI(Backend):
    """Flights, cards and insurance of one traveller."""

    has_long_context = True

    def load(self, config: dict[str, Any]) -> None:
        """With long contexts, there are further cards and bookings."""
        for key, name in (
            ("credit_card_list", "CREDIT_CARD_EXTENSION"),
            ("booking_record", "BOOKING_RECORD_EXTENSION"),
        ):
            self.data[key] = {**self.data[key], **{
                number: record for number, record in (self.long_text(name) or {}).items() if number not in self.data[key]
            }}  # fmt: skip

    def _refusal(self, access_token: str) -> str | None:
        if self.data["token_expires_in"] == 0:
            return "Token expired"
        return None if access_token == self.data["access_token"] else "Invalid access token"

    def authenticate_travel(
        self,
        client_id: str,
        client_secret: str,
        refresh_token: str,
        grant_type: str,
        user_first_name: str,
        user_last_name: str,
    ) -> dict[str, Any]:
        token = str(self.random.randint(100000, 999999))
        self.data.update(
            token_expires_in=2,
            access_token=token,
            token_type="Bearer",
            token_scope=grant_type,
            user_first_name=user_first_name,
            user_last_name=user_last_name,
        )
        return {"expires_in": 2, "access_token": token, "token_type": "Bearer", "scope": grant_type}

    def travel_get_login_status(self) -> dict[str, Any]:
        return {"status": bool(self.data["token_expires_in"])}

    def get_budget_fiscal_year(
        self, lastModifiedAfter: str | None = None, includeRemoved: str | None = None
    ) -> dict[str, Any]:
        return {"budget_fiscal_year": "2018"}

    def register_credit_card(
        self,
        access_token: str,
        card_number: str,
        expiration_date: str,
        cardholder_name: str,
        card_verification_number: int,
    ) -> dict[str, Any]:
        if self.data["token_expires_in"] is None:
            return {"error": "Token not initialized"}
        refusal = self._refusal(access_token)
        if refusal:
            return {"error": refusal}
        if card_number in self.data["credit_card_list"]:
            return {"error": "Card already registered"}
        card_id = str(self.random.randint(10**11, 10**12 - 1))
        self.data["credit_card_list"][card_id] = {
            "card_number": card_number,
            "expiration_date": expiration_date,
            "cardholder_name": cardholder_name,
            "card_verification_number": card_verification_number,
            "balance": self.random.randint(10000, 99999),
        }
        return {"card_id": card_id}

    def get_flight_cost(self, travel_from: str, travel_to: str, travel_date: str, travel_class: str) -> dict[str, Any]:
        cost = _cost(travel_from, travel_to, travel_date, travel_class)
        if self.long_texts is None:
            return {"travel_cost_list": [cost]}
        routes = [route.split("|") for route in read_tables()["tables"]["base_costs"]]
        return {"travel_cost_list": [_cost(start, end, travel_date, travel_class) for start, end in routes]}

    def get_credit_card_balance(self, access_token: str, card_id: str) -> dict[str, Any]:
        refusal = self._refusal(access_token)
        if refusal:
            return {"error": refusal}
        cards = self.data["credit_card_list"]
        if card_id not in cards:
            return {"error": f"Card not registered. Here are a list of card_id's: {list(cards)}"}
        return {"card_balance": cards[card_id]["balance"]}

    def get_all_credit_cards(self) -> dict[str, Any]:
        return {"credit_card_list": self.data["credit_card_list"]}

    def book_flight(
        self, access_token: str, card_id: str, travel_date: str, travel_from: str, travel_to: str, travel_class: str
    ) -> dict[str, Any]:
        problem = self._booking_problem(access_token, card_id, travel_date, travel_from, travel_to)
        if problem is None and travel_class not in _CLASSES:
            # The original shows a set, whose order differs from process to process.
            problem = "Invalid travel class. Must be one of {" + ", ".join(map(repr, _CLASSES)) + "}"
        if problem:
            return {"booking_status": False, "error": problem}
        try:
            cost = _cost(travel_from, travel_to, travel_date, travel_class)
        except ValueError as e:
            return {"booking_status": False, "error": str(e)}
        card = self.data["credit_card_list"][card_id]
        if card["balance"] < cost:
            return {"booking_status": False, "error": "Insufficient funds"}
        if self.data["budget_limit"] is not None and card["balance"] < self.data["budget_limit"]:
            return {"booking_status": False, "error": "Balance is less than budget limit"}
        card["balance"] -= cost
        booking_id = str(self.random.randint(10**6, 10**7 - 1))
        transaction_id = str(self.random.randint(10**7, 10**8 - 1))
        self.data["booking_record"][booking_id] = {
            "card_id": card_id,
            "travel_date": travel_date,
            "travel_from": travel_from,
            "travel_to": travel_to,
            "travel_class": travel_class,
            "travel_cost": cost,
            "transaction_id": transaction_id,
        }
        answer = {"booking_id": booking_id, "transaction_id": transaction_id}
        history = {} if self.long_texts is None else self.data["booking_record"]
        return {**answer, "booking_status": True, "booking_history": history}

    def _booking_problem(
        self, access_token: str, card_id: str, travel_date: str, travel_from: str, travel_to: str
    ) -> str | None:
        refusal = self._refusal(access_token)
        if refusal:
            return refusal
        if card_id not in self.data["credit_card_list"]:
            return "Card not registered"
        if "balance" not in self.data["credit_card_list"][card_id]:
            return "Balance not found"
        airports = read_tables()["tables"]["airports"]
        for what, code in (("departure", travel_from), ("destination", travel_to)):
            if code not in airports:
                return f"Invalid {what} airport code: {code}"
        try:
            datetime.strptime(travel_date, "%Y-%m-%d")
        except ValueError:
            return "Invalid date format. Use YYYY-MM-DD."
        return None

    def retrieve_invoice(
        self, access_token: str, booking_id: str | None = None, insurance_id: str | None = None
    ) -> dict[str, Any]:
        refusal = self._refusal(access_token)
        if refusal:
            return {"error": refusal}
        found = self.data["booking_record"].get(booking_id)
        if found is None:
            return {"error": "Booking not found"}
        shown = {key: found[key] for key in _INVOICE}
        return {"invoice": {"booking_id": booking_id, **shown}}

    def get_booking_history(self, access_token: str) -> dict[str, Any]:
        refusal = self._refusal(access_token)
        return {"error": refusal} if refusal else {"booking_history": self.data["booking_record"]}

    def list_all_airports(self) -> list[str]:
        return list(read_tables()["tables"]["airports"])

    def cancel_booking(self, access_token: str, booking_id: str) -> dict[str, Any]:
        refusal = self._refusal(access_token)
        if refusal is None and booking_id not in self.data["booking_record"]:
            refusal = "Booking not found"
        if refusal:
            return {"cancel_status": False, "error": refusal}
        booking = self.data["booking_record"].pop(booking_id)
        self.data["credit_card_list"][booking["card_id"]]["balance"] += booking["travel_cost"]
        return {"cancel_status": True}

    def compute_exchange_rate(self, base_currency: str, target_currency: str, value: float) -> dict[str, Any]:
        rates = read_tables()["tables"]["exchange_rates"]
        if f"{base_currency}|{target_currency}" in rates:
            return {"exchanged_value": float(value * rates[f"{base_currency}|{target_currency}"])}
        if f"{target_currency}|{base_currency}" in rates:
            return {"exchanged_value": round(value / rates[f"{target_currency}|{base_currency}"], 2)}
        raise ValueError("No available exchange rate for the given currencies.")

    def verify_traveler_information(
        self, first_name: str, last_name: str, date_of_birth: str, passport_number: str
    ) -> dict[str, Any]:
        problem = self._traveler_problem(first_name, last_name, date_of_birth, passport_number)
        if problem:
            return {"verification_status": False, "verification_failure": problem}
        return {"verification_status": True}

    def _traveler_problem(self, first_name: str, last_name: str, born: str, passport_number: str) -> str | None:
        if (first_name, last_name) != (self.data["user_first_name"], self.data["user_last_name"]):
            known = f"{self.data['user_first_name']} {self.data['user_last_name']}"
            return f"Cannot book flight information for another user.Expected {known}, got {first_name} {last_name}"
        try:
            day = datetime.strptime(born, "%Y-%m-%d").date()
        except ValueError:
            return "Invalid date of birth format. Please use YYYY-MM-DD."
        today = date.today()
        if today.year - day.year - ((today.month, today.day) < (day.month, day.day)) < _ADULT:
            return "Traveler must be at least 18 years old."
        return None if passport_number.startswith("US") else "Passport must be issued by the United States."

    def set_budget_limit(self, access_token: str, budget_limit: float) -> dict[str, Any]:
        refusal = self._refusal(access_token)
        if refusal:
            return {"error": refusal}
        self.data["budget_limit"] = float(budget_limit)
        return {"budget_limit": self.data["budget_limit"]}

    def get_nearest_airport_by_city(self, location: str) -> dict[str, Any]:
        return {"nearest_airport": read_tables()["tables"]["airport_map"].get(location, "Unknown")}

    def purchase_insurance(
        self, access_token: str, insurance_type: str, booking_id: str, insurance_cost: float, card_id: str
    ) -> dict[str, Any]:
        refusal, limit = self._refusal(access_token), self.data["budget_limit"]
        if refusal is None and limit is not None and limit < insurance_cost:
            refusal = "Exceeded budget limit"
        if refusal is None and booking_id not in self.data["booking_record"]:
            refusal = "Booking not found"
        if refusal is None and card_id not in self.data["credit_card_list"]:
            refusal = "Credit card not registered"
        if refusal:
            return {"insurance_status": False, "error": refusal}
        self.data["credit_card_list"][card_id]["balance"] -= insurance_cost
        return {"insurance_id": str(self.random.randint(10**8, 10**9 - 1)), "insurance_status": True}

    def contact_customer_support(self, booking_id: str, message: str) -> dict[str, Any]:
        if booking_id not in self.data["booking_record"]:
            return {"error": "Booking not found"}
        text = (
            "Thank you for contacting customer support. Your message has been received and we will get back to you "
            "shortly."
        )
        return {"customer_support_message": text}


def _cost(travel_from: str, travel_to: str, travel_date: str, travel_class: str) -> float:
    """Return the price of a flight. Raises: ValueError for an unknown route or class."""
    base = read_tables()["tables"]["base_costs"].get(f"{travel_from}|{travel_to}")
    if base is None:
        raise ValueError("No available route for the given airports.")
    if travel_class not in _CLASSES:
        raise ValueError("Invalid travel class. Options are: economy, business, first.")
    is_even = sum(int(digit) for digit in travel_date if digit.isdigit()) % 2 == 0
    return float(base * _CLASSES[travel_class] * (2 if is_even else 1))
