"""The domain `airline`: reservations of flights. Its clock stands still on 2024-05-15."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from helm.agents.tau2.domain import READ, WRITE, CompanyTools, Domain, tool_kind

_NOW = "2024-05-15T15:00:00"
_NEW_RESERVATIONS = ("HATHAT", "HATHAU", "HATHAV")
_NEW_CERTIFICATES = (3221322, 3221323, 3221324)
_BAG, _INSURANCE = 50, 30
_CABINS = ("business", "economy", "basic_economy")
_FLIGHT_FIELDS = ("flight_number", "origin", "destination", "date", "price")
_USER_FIELDS = (
    "user_id", "name", "address", "email", "dob", "payment_methods", "saved_passengers", "membership", "reservations",
)  # fmt: skip
_AIRPORTS = {
    "SFO": "San Francisco", "JFK": "New York", "LAX": "Los Angeles", "ORD": "Chicago", "DFW": "Dallas", "DEN": "Denver",
    "SEA": "Seattle", "ATL": "Atlanta", "MIA": "Miami", "BOS": "Boston", "PHX": "Phoenix", "IAH": "Houston",
    "LAS": "Las Vegas", "MCO": "Orlando", "EWR": "Newark", "CLT": "Charlotte", "MSP": "Minneapolis", "DTW": "Detroit",
    "PHL": "Philadelphia", "LGA": "LaGuardia",
}  # fmt: skip

_FLIGHT = {
    "type": "object",
    "properties": {"flight_number": {"type": "string"}, "date": {"type": "string", "description": "as YYYY-MM-DD"}},
    "required": ["flight_number", "date"],
}
_PASSENGER = {
    "type": "object",
    "properties": {
        "first_name": {"type": "string"},
        "last_name": {"type": "string"},
        "dob": {"type": "string", "description": "date of birth, as YYYY-MM-DD"},
    },
    "required": ["first_name", "last_name", "dob"],
}
_PAYMENT = {
    "type": "object",
    "properties": {"payment_id": {"type": "string"}, "amount": {"type": "integer"}},
    "required": ["payment_id", "amount"],
}

Cabin = Literal["business", "economy", "basic_economy"]


class AirlineTools(CompanyTools):
    """What the airline's agent can do."""

    schemas = {
        "flights": {"type": "array", "items": _FLIGHT},
        "passengers": {"type": "array", "items": _PASSENGER},
        "payment_methods": {"type": "array", "items": _PAYMENT},
    }

    def _user(self, user_id: str) -> dict[str, Any]:
        return _get(self.db["users"], user_id, f"User {user_id}")

    def _reservation(self, reservation_id: str) -> dict[str, Any]:
        return _get(self.db["reservations"], reservation_id, f"Reservation {reservation_id}")

    def _flight(self, flight_number: str) -> dict[str, Any]:
        return _get(self.db["flights"], flight_number, f"Flight {flight_number}")

    def _day(self, flight_number: str, date: str) -> dict[str, Any]:
        days = self._flight(flight_number)["dates"]
        return _get(days, date, f"Flight {flight_number} not found on date {date}", "")

    def _bookable_day(self, flight_number: str, date: str, cabin: str, seats: int) -> dict[str, Any]:
        day = self._day(flight_number, date)
        if day["status"] != "available":
            raise ValueError(f"Flight {flight_number} not available on date {date}")
        if day["available_seats"][cabin] < seats:
            raise ValueError(f"Not enough seats on flight {flight_number}")
        return day

    @tool_kind(WRITE)
    def book_reservation(
        self,
        user_id: str,
        origin: str,
        destination: str,
        flight_type: Literal["round_trip", "one_way"],
        cabin: Cabin,
        flights: list[Any],
        passengers: list[Any],
        payment_methods: list[Any],
        total_baggages: int,
        nonfree_baggages: int,
        insurance: Literal["yes", "no"],
    ) -> dict[str, Any]:
        """Book flights, once the user has confirmed all details.

        Args:
            user_id: such as 'ada_king_1234'.
            origin: airport code where the journey begins.
            destination: airport code where it ends.
            flight_type: one way, or there and back.
            cabin: the same for all flights.
            flights: each with number and date.
            passengers: each with name and date of birth.
            payment_methods: which method pays how much.
            total_baggages: all bags.
            nonfree_baggages: bags that are paid for.
            insurance: whether there is one.
        """
        user = self._user(user_id)
        reservation_id = next((name for name in _NEW_RESERVATIONS if name not in self.db["reservations"]), None)
        if reservation_id is None:
            raise ValueError("Too many reservations")
        payments = [_record(payment, _PAYMENT, "payment") for payment in payment_methods]
        reservation: dict[str, Any] = {
            "reservation_id": reservation_id,
            "user_id": user_id,
            "origin": origin,
            "destination": destination,
            "flight_type": _one_of(flight_type, ("round_trip", "one_way")),
            "cabin": _one_of(cabin, _CABINS),
            "flights": [],
            "passengers": [_record(passenger, _PASSENGER, "passenger") for passenger in passengers],
            "payment_history": payments,
            "created_at": _NOW,
            "total_baggages": _whole(total_baggages),
            "nonfree_baggages": _whole(nonfree_baggages),
            "insurance": _one_of(insurance, ("yes", "no")),
            "status": None,
        }
        number, days, price = len(reservation["passengers"]), [], 0
        for wanted in (_record(flight, _FLIGHT, "flight") for flight in flights):
            day = self._bookable_day(wanted["flight_number"], wanted["date"], cabin, number)
            days.append(day)
            price += day["prices"][cabin] * number
            reservation["flights"].append(self._leg(wanted, day["prices"][cabin]))
        price += _INSURANCE * number * (insurance == "yes") + _BAG * nonfree_baggages
        self._pay(user, payments, price)
        for day in days:
            day["available_seats"][cabin] -= number
        self.db["reservations"][reservation_id] = reservation
        user["reservations"].append(reservation_id)
        return reservation

    def _leg(self, wanted: Mapping[str, Any], price: int) -> dict[str, Any]:
        flight = self._flight(wanted["flight_number"])
        ends = {"origin": flight["origin"], "destination": flight["destination"]}
        return {"flight_number": wanted["flight_number"], **ends, "date": wanted["date"], "price": price}

    def _pay(self, user: dict[str, Any], payments: list[dict[str, Any]], price: float) -> None:
        """Take the money of a new reservation. Raises: ValueError, and then nothing is taken."""
        methods = user["payment_methods"]
        for payment in payments:
            method = _get(methods, payment["payment_id"], f"Payment method {payment['payment_id']}")
            if method["source"] in ("gift_card", "certificate") and method["amount"] < payment["amount"]:
                raise ValueError(f"Not enough balance in payment method {payment['payment_id']}")
        paid = sum(payment["amount"] for payment in payments)
        if paid != price:
            raise ValueError(f"Payment amount does not add up, total price is {price}, but paid {paid}")
        for payment in payments:
            method = methods[payment["payment_id"]]
            if method["source"] == "gift_card":
                method["amount"] -= payment["amount"]
            elif method["source"] == "certificate":
                del methods[payment["payment_id"]]

    @tool_kind(WRITE)
    def cancel_reservation(self, reservation_id: str) -> dict[str, Any]:
        """Cancel a whole reservation.

        Args:
            reservation_id: six letters and digits.
        """
        reservation = self._reservation(reservation_id)
        history = reservation["payment_history"]
        history += [{"payment_id": payment["payment_id"], "amount": -payment["amount"]} for payment in history]
        reservation["status"] = "cancelled"
        return reservation

    @tool_kind(READ)
    def get_reservation_details(self, reservation_id: str) -> dict[str, Any]:
        """Show a reservation.

        Args:
            reservation_id: six letters and digits.
        """
        return self._reservation(reservation_id)

    @tool_kind(READ)
    def get_user_details(self, user_id: str) -> dict[str, Any]:
        """Show a user: membership, payment methods, reservations.

        Args:
            user_id: such as 'ada_king_1234'.
        """
        return self._user(user_id)

    @tool_kind(READ)
    def list_all_airports(self) -> list[Any]:
        """List the airports with their towns."""
        return [{"iata": code, "city": city} for code, city in _AIRPORTS.items()]

    def _available(self, origin: str, destination: str | None, date: str) -> Iterator[dict[str, Any]]:
        for flight in self.db["flights"].values():
            if flight["origin"] != origin or destination not in (None, flight["destination"]):
                continue
            day = flight["dates"].get(date)
            if day is not None and day["status"] == "available":
                yield {
                    "flight_number": flight["flight_number"],
                    "origin": flight["origin"],
                    "destination": flight["destination"],
                    "status": "available",
                    "scheduled_departure_time_est": flight["scheduled_departure_time_est"],
                    "scheduled_arrival_time_est": flight["scheduled_arrival_time_est"],
                    "date": None,
                    "available_seats": dict(day["available_seats"]),
                    "prices": dict(day["prices"]),
                }

    @tool_kind(READ)
    def search_direct_flight(self, origin: str, destination: str, date: str) -> list[Any]:
        """Find flights without a stop.

        Args:
            origin: airport code.
            destination: airport code.
            date: of the departure, as YYYY-MM-DD.
        """
        return list(self._available(origin, destination, date))

    @tool_kind(READ)
    def search_onestop_flight(self, origin: str, destination: str, date: str) -> list[Any]:
        """Find pairs of flights with one stop.

        Args:
            origin: airport code.
            destination: airport code.
            date: of the first departure, as YYYY-MM-DD.
        """
        found = []
        for first in self._available(origin, None, date):
            arrival = first["scheduled_arrival_time_est"]
            # A date of May 2024, whatever the month is, as in the original.
            next_date = f"2024-05-{int(date[-2:]) + 1}" if "+1" in arrival else date
            for second in self._available(first["destination"], destination, next_date):
                if arrival <= second["scheduled_departure_time_est"]:
                    found.append([{**first, "date": date}, {**second, "date": next_date}])
        return found

    @tool_kind(WRITE)
    def send_certificate(self, user_id: str, amount: int) -> str:
        """Give a user a certificate.

        Args:
            user_id: such as 'ada_king_1234'.
            amount: its worth in dollars.
        """
        methods = self._user(user_id)["payment_methods"]
        for number in _NEW_CERTIFICATES:
            name = f"certificate_{number}"
            if name not in methods:
                methods[name] = {"source": "certificate", "id": name, "amount": float(amount)}
                return f"Certificate {name} added to user {user_id} with amount {amount}."
        raise ValueError("Too many certificates")

    def _change_price(self, reservation: dict[str, Any], payment_id: str, price: int) -> list[dict[str, Any]]:
        """Take or return the price of a change, and return the entry for it. Raises: ValueError."""
        methods = self._user(reservation["user_id"])["payment_methods"]
        method = _get(methods, payment_id, "Payment method")
        if method["source"] == "certificate":
            raise ValueError("Certificate cannot be used to update reservation")
        if method["source"] == "gift_card":
            if method["amount"] < price:
                raise ValueError("Gift card balance is not enough")
            method["amount"] -= price
        return [{"payment_id": payment_id, "amount": price}] if price else []

    @tool_kind(WRITE)
    def update_reservation_baggages(
        self, reservation_id: str, total_baggages: int, nonfree_baggages: int, payment_id: str
    ) -> dict[str, Any]:
        """Change the bags of a reservation.

        Args:
            reservation_id: six letters and digits.
            total_baggages: all bags after the change.
            nonfree_baggages: bags that are paid for after the change.
            payment_id: pays for further ones.
        """
        reservation = self._reservation(reservation_id)
        price = _BAG * max(0, nonfree_baggages - reservation["nonfree_baggages"])
        paid = self._change_price(reservation, payment_id, price)
        reservation["payment_history"] += paid
        reservation.update(total_baggages=_whole(total_baggages), nonfree_baggages=_whole(nonfree_baggages))
        return reservation

    @tool_kind(WRITE)
    def update_reservation_flights(
        self, reservation_id: str, cabin: Cabin, flights: list[Any], payment_id: str
    ) -> dict[str, Any]:
        """Change flights or cabin of a reservation.

        Args:
            reservation_id: six letters and digits.
            cabin: after the change.
            flights: all flights after the change, also those that stay, each with number and date.
            payment_id: pays or receives the difference.
        """
        reservation = self._reservation(reservation_id)
        number, legs = len(reservation["passengers"]), []
        for wanted in (_record(flight, _FLIGHT, "flight") for flight in flights):
            same = next((leg for leg in reservation["flights"] if _is_same(leg, wanted)), None)
            if same is not None and cabin == reservation["cabin"]:
                legs.append(self._leg(wanted, same["price"]))
                continue
            day = self._bookable_day(wanted["flight_number"], wanted["date"], cabin, number)
            legs.append(self._leg(wanted, day["prices"][cabin]))
        before = sum(leg["price"] for leg in reservation["flights"])
        price = (sum(leg["price"] for leg in legs) - before) * number
        paid = self._change_price(reservation, payment_id, price)
        reservation["payment_history"] += paid
        reservation.update(flights=legs, cabin=_one_of(cabin, _CABINS))
        return reservation

    @tool_kind(WRITE)
    def update_reservation_passengers(self, reservation_id: str, passengers: list[Any]) -> dict[str, Any]:
        """Change who flies; the number of passengers stays.

        Args:
            reservation_id: six letters and digits.
            passengers: each with name and date of birth.
        """
        reservation = self._reservation(reservation_id)
        if len(passengers) != len(reservation["passengers"]):
            raise ValueError("Number of passengers does not match")
        reservation["passengers"] = [_record(passenger, _PASSENGER, "passenger") for passenger in passengers]
        return reservation

    @tool_kind(READ)
    def get_flight_status(self, flight_number: str, date: str) -> str:
        """Show how a flight is going.

        Args:
            flight_number: such as 'HAT001'.
            date: as YYYY-MM-DD.
        """
        return str(self._day(flight_number, date)["status"])


def _get(table: dict[str, Any], key: str, what: str, suffix: str = " not found") -> dict[str, Any]:
    if key not in table:
        raise ValueError(f"{what}{suffix}")
    return table[key]


def _is_same(leg: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return leg["flight_number"] == wanted["flight_number"] and leg["date"] == wanted["date"]


def _one_of(value: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError(f"expected one of {', '.join(known)}, not {value!r}")
    return value


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value):
        raise ValueError(f"expected a whole number, not {value!r}")
    return int(value)


def _record(value: Any, schema: Mapping[str, Any], what: str) -> dict[str, Any]:
    """Return the fields of a record with their types. Raises: ValueError."""
    if not isinstance(value, Mapping):
        raise ValueError(f"a {what} is an object, not {value!r}")
    found: dict[str, Any] = {}
    for name, field in schema["properties"].items():
        if name not in value:
            raise ValueError(f"a {what} needs the field {name}")
        if field["type"] == "integer":
            found[name] = _whole(value[name])
        elif isinstance(value[name], str):
            found[name] = value[name]
        else:
            raise ValueError(f"the field {name} of a {what} is a text, not {value[name]!r}")
    return found


class AirlineDomain(Domain):
    """An airline."""

    name = "airline"
    tools_class = AirlineTools

    def typed(self, db: dict[str, Any]) -> dict[str, Any]:
        """Make amounts of money floats, and bring fields in the order of the schema."""
        for user_id, user in db["users"].items():
            db["users"][user_id] = {name: user[name] for name in _USER_FIELDS if name in user}
            for method in user["payment_methods"].values():
                if "amount" in method:
                    method["amount"] = float(method["amount"])
        for reservation in db["reservations"].values():
            reservation["flights"] = [
                {name: leg[name] for name in _FLIGHT_FIELDS if name in leg} for leg in reservation["flights"]
            ]
        return db
