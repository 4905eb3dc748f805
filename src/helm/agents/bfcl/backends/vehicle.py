"""The simulated car."""

from typing import Any

from helm.agents.bfcl.backends.backend import Backend, read_tables

_FULL_FORCE = 1000.0
_TANK = 50.0
_MILES_PER_GALLON = 20.0
_TYRES = ("frontLeftTirePressure", "frontRightTirePressure", "rearLeftTirePressure", "rearRightTirePressure")


class VehicleControlAPI(Backend):
    """A car: doors, engine, brakes, climate and cruise control."""

    has_long_context = True

    def load(self, config: dict[str, Any]) -> None:
        """Read what has another name in the configuration, and count the doors."""
        data = self.data
        data["engine_state"] = config.get("engineState", data["engine_state"])
        data["_parkingBrakeForce"] = config.get("parkingBrakeForce", data["_parkingBrakeForce"])
        data["_slopeAngle"] = config.get("slopeAngle", data["_slopeAngle"])
        data["_brakePedalForce"] = data.pop("brakePedalForce")
        data["remainingUnlockedDoors"] = 4 - sum(status == "locked" for status in data["doorStatus"].values())

    def startEngine(self, ignitionMode: str) -> dict[str, Any]:
        data = self.data
        if ignitionMode == "STOP":
            data["engine_state"] = "stopped"
        if data["remainingUnlockedDoors"] > 0:
            doors = ", ".join(door for door, status in data["doorStatus"].items() if status == "unlocked")
            return {
                "error": f"All doors must be locked before starting the engine. Here are the unlocked doors: {doors}"
            }
        if data["brakePedalStatus"] != "pressed":
            return {"error": "Brake pedal needs to be pressed when starting the engine."}
        if data["_brakePedalForce"] != _FULL_FORCE:
            return {"error": "Must press the brake fully before starting the engine."}
        if data["fuelLevel"] < 0:
            return {"error": "Fuel tank is empty."}
        if ignitionMode != "START":
            return {"error": "Invalid ignition mode."}
        data["engine_state"] = "running"
        return {"engineState": "running", "fuelLevel": data["fuelLevel"], "batteryVoltage": data["batteryVoltage"]}

    def fillFuelTank(self, fuelAmount: float) -> dict[str, Any]:
        if fuelAmount < 0:
            return {"error": "Fuel amount cannot be negative."}
        if self.data["fuelLevel"] + fuelAmount > _TANK:
            return {"error": "Cannot fill gas above the tank capacity."}
        self.data["fuelLevel"] += fuelAmount
        return {"fuelLevel": self.data["fuelLevel"]}

    def lockDoors(self, unlock: bool, door: list[str]) -> dict[str, Any]:
        wanted, data = "unlocked" if unlock else "locked", self.data
        for name in door:
            if data["doorStatus"][name] != wanted:
                data["doorStatus"][name] = wanted
                data["remainingUnlockedDoors"] += 1 if unlock else -1
        return {"lockStatus": wanted, "remainingUnlockedDoors": data["remainingUnlockedDoors"]}

    def adjustClimateControl(
        self, temperature: float, unit: str = "celsius", fanSpeed: int = 50, mode: str = "auto"
    ) -> dict[str, Any]:
        if not 0 <= fanSpeed <= 100:
            return {"error": "Fan speed must be between 0 and 100."}
        celsius = (temperature - 32) * 5 / 9 if unit == "fahrenheit" else temperature
        self.data.update(acTemperature=celsius, fanSpeed=fanSpeed, acMode=mode)
        humidity = self.data["humidityLevel"]
        return {"currentACTemperature": temperature, "climateMode": mode, "humidityLevel": humidity}

    def get_outside_temperature_from_google(self) -> dict[str, Any]:
        return {**(self.long_text("LONG_WEATHER_EXTENSION") or {}), "outsideTemperature": self.random.uniform(-10, 40)}

    def get_outside_temperature_from_weather_com(self) -> dict[str, Any]:
        return {"error": 404}

    def setHeadlights(self, mode: str) -> dict[str, Any]:
        if mode not in ("on", "off", "auto"):
            return {"error": "Invalid headlight mode."}
        self.data["headLightStatus"] = "on" if mode == "on" else "off"
        return {"headlightStatus": self.data["headLightStatus"]}

    def displayCarStatus(self, option: str) -> dict[str, Any]:
        data = self.data
        known: dict[str, dict[str, str]] = {
            "fuel": {"fuelLevel": "fuelLevel"},
            "battery": {"batteryVoltage": "batteryVoltage"},
            "doors": {"doorStatus": "doorStatus"},
            "climate": {
                "currentACTemperature": "acTemperature",
                "fanSpeed": "fanSpeed",
                "climateMode": "acMode",
                "humidityLevel": "humidityLevel",
            },
            "headlights": {"headlightStatus": "headLightStatus"},
            "parkingBrake": {
                "parkingBrakeStatus": "parkingBrakeStatus",
                "parkingBrakeForce": "_parkingBrakeForce",
                "slopeAngle": "_slopeAngle",
            },
            "brakePedal": {"brakePedalStatus": "brakePedalStatus", "brakePedalForce": "_brakePedalForce"},
            "engine": {"engineState": "engine_state"},
        }
        more = self._more("metadata", "CAR_STATUS_METADATA_EXTENSION")
        if option not in known:
            return {**more, "error": "Invalid option"}
        return {**more, **{shown: data[key] for shown, key in known[option].items()}}

    def _more(self, key: str, name: str) -> dict[str, Any]:
        """Return what an answer has besides with long contexts."""
        return {} if self.long_texts is None else {key: self.long_text(name)}

    def activateParkingBrake(self, mode: str) -> dict[str, Any]:
        if mode not in ("engage", "release"):
            return {"error": "Invalid mode"}
        status, force = ("engaged", 500.0) if mode == "engage" else ("released", 0.0)
        self.data.update(parkingBrakeStatus=status, _parkingBrakeForce=force, _slopeAngle=10.0)
        more = self._more("parkingBrakeInstruction", "PARKING_BRAKE_INSTRUCTION")
        return {**more, "parkingBrakeStatus": status, "_parkingBrakeForce": force, "_slopeAngle": 10.0}

    def pressBrakePedal(self, pedalPosition: float) -> dict[str, Any]:
        if not 0 <= pedalPosition <= 1:
            return {"error": "Pedal position must be between 0 and 1."}
        if pedalPosition == 0:
            return self.releaseBrakePedal()
        force = 1000 * pedalPosition
        self.data.update(brakePedalStatus="pressed", _brakePedalForce=force)
        return {"brakePedalStatus": "pressed", "brakePedalForce": float(force)}

    def releaseBrakePedal(self) -> dict[str, Any]:
        self.data.update(brakePedalStatus="released", _brakePedalForce=0.0)
        return {"brakePedalStatus": "released", "brakePedalForce": 0.0}

    def setCruiseControl(self, speed: float, activate: bool, distanceToNextVehicle: float) -> dict[str, Any]:
        data = self.data
        if activate and data["engine_state"] == "stopped":
            return {"error": "Start the engine before activating the cruise control."}
        data["distanceToNextVehicle"] = distanceToNextVehicle
        if activate and (not 0 <= speed <= 120 or speed % 5 != 0):
            return {"error": "Invalid speed"}
        data["cruiseStatus"] = "active" if activate else "inactive"
        return {
            "cruiseStatus": data["cruiseStatus"],
            "currentSpeed": float(speed),
            "distanceToNextVehicle": float(distanceToNextVehicle),
        }

    def get_current_speed(self) -> dict[str, Any]:
        return {"currentSpeed": self.random.uniform(0, 120)}

    def display_log(self, messages: list[str]) -> dict[str, Any]:
        return {"log": messages}

    def estimate_drive_feasibility_by_mileage(self, distance: float) -> dict[str, Any]:
        return {"canDrive": bool(self.data["fuelLevel"] * _MILES_PER_GALLON >= distance)}

    def liter_to_gallon(self, liter: float) -> dict[str, Any]:
        return {"gallon": liter * 0.264172}

    def gallon_to_liter(self, gallon: float) -> dict[str, Any]:
        return {"liter": gallon * 3.78541}

    def estimate_distance(self, cityA: str, cityB: str) -> dict[str, Any]:
        known = read_tables()["tables"]["distances"]
        distance = known.get(f"{cityA}|{cityB}", known.get(f"{cityB}|{cityA}"))
        found = {"distance": distance} if distance is not None else {"error": "distance not found in database."}
        return {**found, **self._more("intermediaryCities", "INTERMEDIARY_CITIES")}

    def get_zipcode_based_on_city(self, city: str) -> dict[str, Any]:
        return {"zipcode": read_tables()["tables"]["zip_codes"].get(city, "00000")}

    def set_navigation(self, destination: str) -> dict[str, Any]:
        self.data["destination"] = destination
        return {"status": f"Navigating to {destination}"}

    def check_tire_pressure(self) -> dict[str, Any]:
        pressures = {name: self.data[name] for name in _TYRES}
        is_healthy = 30 <= sum(pressures.values()) / len(pressures) <= 35
        info = self.long_text("CAR_STATUS_METADATA_EXTENSION")
        return {**pressures, "healthy_tire_pressure": is_healthy, "car_info": {} if info is None else info}

    def find_nearest_tire_shop(self) -> dict[str, Any]:
        return {"shopLocation": "456 Oakwood Avenue, Rivermist, 83214"}
