"""The simulated messengers and the ticket system."""

from typing import Any

from helm.agents.bfcl.backends.backend import Backend


class TwitterAPI(Backend):
    """Short messages in public."""

    def load(self, config: dict[str, Any]) -> None:
        """Read the messages; their numbers are integers."""
        self.data["tweets"] = {int(key): value for key, value in self.data["tweets"].items()}

    def _find(self, tweet_id: int) -> dict[str, Any] | None:
        found = self.data["tweets"].get(tweet_id)
        return found if isinstance(found, dict) else None

    def _refusal(self, doing: str | None, tweet_id: int | None = None) -> dict[str, str] | None:
        if doing is not None and not self.data["authenticated"]:
            return {"error": f"User not authenticated. Please authenticate before {doing}."}
        if tweet_id is not None and self._find(tweet_id) is None:
            return {"error": f"Tweet with ID {tweet_id} not found."}
        return None

    def authenticate_twitter(self, username: str, password: str) -> dict[str, Any]:
        if (username, password) == (self.data["username"], self.data["password"]):
            self.data["authenticated"] = True
            return {"authentication_status": True}
        return {"authentication_status": False}

    def posting_get_login_status(self) -> dict[str, Any]:
        return {"login_status": bool(self.data["authenticated"])}

    def post_tweet(
        self, content: str, tags: list[str] | None = None, mentions: list[str] | None = None
    ) -> dict[str, Any]:
        refusal = self._refusal("posting")
        if refusal:
            return refusal
        number = self.data["tweet_counter"]
        tweet = {
            "id": number,
            "username": self.data["username"],
            "content": content,
            "tags": tags or [],
            "mentions": mentions or [],
        }
        self.data["tweets"][number] = tweet
        self.data["tweet_counter"] = number + 1
        return tweet

    def retweet(self, tweet_id: int) -> dict[str, Any]:
        refusal = self._refusal("retweeting", tweet_id)
        if refusal:
            return refusal
        mine = self.data["retweets"].setdefault(self.data["username"], [])
        if tweet_id in mine:
            return {"retweet_status": "Already retweeted"}
        mine.append(tweet_id)
        return {"retweet_status": "Successfully retweeted"}

    def comment(self, tweet_id: int, comment_content: str) -> dict[str, Any]:
        refusal = self._refusal("commenting", tweet_id)
        if refusal:
            return refusal
        said = {"username": self.data["username"], "content": comment_content}
        self.data["comments"].setdefault(tweet_id, []).append(said)
        return {"comment_status": "Comment added successfully"}

    def mention(self, tweet_id: int, mentioned_usernames: list[str]) -> dict[str, Any]:
        found = self._find(tweet_id)
        if found is None:
            return {"error": f"Tweet with ID {tweet_id} not found."}
        found["mentions"].extend(mentioned_usernames)
        return {"mention_status": "Users mentioned successfully"}

    def follow_user(self, username_to_follow: str) -> dict[str, Any]:
        refusal = self._refusal("following")
        following = self.data["following_list"]
        if refusal:
            return refusal
        if username_to_follow in following:
            return {"follow_status": False}
        following.append(username_to_follow)
        return {"follow_status": True}

    def list_all_following(self) -> Any:
        return self._refusal("listing following") or {"following_list": self.data["following_list"]}

    def unfollow_user(self, username_to_unfollow: str) -> dict[str, Any]:
        refusal = self._refusal("unfollowing")
        following = self.data["following_list"]
        if refusal:
            return refusal
        if username_to_unfollow not in following:
            return {"unfollow_status": False}
        following.remove(username_to_unfollow)
        return {"unfollow_status": True}

    def get_tweet(self, tweet_id: int) -> dict[str, Any]:
        return self._find(tweet_id) or {"error": f"Tweet with ID {tweet_id} not found."}

    def get_user_tweets(self, username: str) -> list[Any]:
        return [tweet for tweet in self.data["tweets"].values() if tweet["username"] == username]

    def search_tweets(self, keyword: str) -> list[Any]:
        word = keyword.lower()
        return [
            tweet
            for tweet in self.data["tweets"].values()
            if word in tweet["content"].lower() or word in [tag.lower() for tag in tweet["tags"]]
        ]

    def get_tweet_comments(self, tweet_id: int) -> Any:
        return self._refusal(None, tweet_id) or self.data["comments"].get(tweet_id, [])

    def get_user_stats(self, username: str) -> dict[str, Any]:
        is_mine = username == self.data["username"]
        return {
            "tweet_count": len(self.get_user_tweets(username)),
            "following_count": len(self.data["following_list"]) if is_mine else 0,
            "retweet_count": len(self.data["retweets"].get(username, [])),
        }


_NO_LOGIN = {"error": "No user is currently logged in."}


class MessageAPI(Backend):
    """Messages between people who work together."""

    def load(self, config: dict[str, Any]) -> None:
        """Numbers that were given out are a set."""
        self.data["generated_ids"] = set(self.data["generated_ids"])

    def state(self) -> dict[str, Any]:
        """Return the data, with the set as an object."""
        return {**self.data, "generated_ids": {"set": sorted(self.data["generated_ids"])}}

    def list_users(self) -> dict[str, Any]:
        return {"user_list": list(self.data["user_map"])}

    def get_user_id(self, user: str) -> dict[str, Any]:
        if user not in self.data["user_map"]:
            return {"error": f"User '{user}' not found in the workspace."}
        return {"user_id": self.data["user_map"][user]}

    def message_login(self, user_id: str) -> dict[str, Any]:
        if user_id not in self.data["user_map"].values():
            return {"login_status": False, "message": f"User ID '{user_id}' not found."}
        self.data["current_user"] = user_id
        return {"login_status": True, "message": f"User '{user_id}' logged in successfully."}

    def message_get_login_status(self) -> dict[str, Any]:
        return {"login_status": bool(self.data["current_user"])}

    def send_message(self, receiver_id: str, message: str) -> dict[str, Any]:
        if not self.data["current_user"]:
            return dict(_NO_LOGIN)
        if receiver_id not in self.data["user_map"].values():
            return {"error": f"Receiver ID '{receiver_id}' not found."}
        number = self.random.randint(10000, 99999)
        while number in self.data["generated_ids"]:
            number = self.random.randint(10000, 99999)
        self.data["generated_ids"].add(number)
        self.data["inbox"].append({receiver_id: message})
        self.data["message_count"] += 1
        return {
            "sent_status": True,
            "message_id": {"new_id": number},
            "message": f"Message sent to '{receiver_id}' successfully.",
        }

    def delete_message(self, receiver_id: str) -> dict[str, Any]:
        if not self.data["current_user"]:
            return dict(_NO_LOGIN)
        inbox = self.data["inbox"]
        for number in reversed(range(len(inbox))):
            if receiver_id == _first(inbox[number])[0]:
                del inbox[number]
                text = f"Receiver {receiver_id}'s latest message deleted successfully."
                return {"deleted_status": True, "receiver_id": receiver_id, "message": text}
        return {"error": f"Receiver ID {receiver_id} not found."}

    def view_messages_sent(self) -> dict[str, Any]:
        if not self.data["current_user"]:
            return dict(_NO_LOGIN)
        sent: dict[str, list[Any]] = {}
        for receiver, text in map(_first, self.data["inbox"]):
            sent.setdefault(receiver, []).append(text)
        return {"messages": sent}

    def add_contact(self, user_name: str) -> dict[str, Any]:
        if user_name in self.data["user_map"]:
            return {"error": f"User name '{user_name}' already exists."}
        self.data["user_count"] += 1
        number = f"USR{self.data['user_count']:03d}"
        if number in self.data["user_map"].values():
            return {"error": f"User ID '{number}' already exists."}
        self.data["user_map"][user_name] = number
        return {"added_status": True, "user_id": number, "message": f"Contact '{user_name}' added successfully."}

    def search_messages(self, keyword: str) -> dict[str, Any]:
        if not self.data["current_user"]:
            return dict(_NO_LOGIN)
        found = [
            {"receiver_id": receiver, "message": text}
            for receiver, text in map(_first, self.data["inbox"])
            if keyword.lower() in text.lower()
        ]
        return {"results": found}

    def get_message_stats(self) -> dict[str, Any]:
        if not self.data["current_user"]:
            return dict(_NO_LOGIN)
        receivers = {_first(message)[0] for message in self.data["inbox"]}
        return {"stats": {"received_count": len(self.data["inbox"]), "total_contacts": len(receivers)}}


def _first(message: dict[str, Any]) -> tuple[str, Any]:
    """Return receiver and text of a message; configurations with several in one count with the first, as in the original."""
    return next(iter(message.items()))


_EDITABLE = ("title", "description", "status", "priority")


class TicketAPI(Backend):
    """Tickets of a support desk."""

    def _find(self, ticket_id: int) -> dict[str, Any] | None:
        return next((ticket for ticket in self.data["ticket_queue"] if ticket["id"] == ticket_id), None)

    def create_ticket(self, title: str, description: str = "", priority: int = 1) -> dict[str, Any]:
        if not self.data["current_user"]:
            return {"error": "User not authenticated. Please log in to create a ticket."}
        if priority < 1 or priority > 5:
            return {"error": "Invalid priority. Priority must be between 1 and 5."}
        ticket = {
            "id": self.data["ticket_counter"],
            "title": title,
            "description": description,
            "status": "Open",
            "priority": priority,
            "created_by": self.data["current_user"],
        }
        self.data["ticket_queue"].append(ticket)
        self.data["ticket_counter"] += 1
        return dict(ticket)

    def get_ticket(self, ticket_id: int) -> dict[str, Any]:
        return self._find(ticket_id) or {"error": f"Ticket with ID {ticket_id} not found."}

    def _finish(self, ticket_id: int, status: str, **fields: Any) -> dict[str, Any]:
        found = self._find(ticket_id)
        if found is None:
            return {"error": f"Ticket with ID {ticket_id} not found."}
        if found["status"] == status:
            return {"error": f"Ticket with ID {ticket_id} is already {status.lower()}."}
        found.update({"status": status, **fields})
        return {"status": f"Ticket {ticket_id} has been {status.lower()} successfully."}

    def close_ticket(self, ticket_id: int) -> dict[str, Any]:
        return self._finish(ticket_id, "Closed")

    def resolve_ticket(self, ticket_id: int, resolution: str) -> dict[str, Any]:
        return self._finish(ticket_id, "Resolved", resolution=resolution)

    def edit_ticket(self, ticket_id: int, updates: dict[str, Any]) -> dict[str, Any]:
        found = self._find(ticket_id)
        if found is None:
            return {"error": f"Ticket with ID {ticket_id} not found."}
        unknown = [name for name in updates if name not in _EDITABLE]
        if unknown:
            return {"error": f"Invalid fields for update: {', '.join(unknown)}"}
        found.update({name: value for name, value in updates.items() if value is not None})
        return {"status": f"Ticket {ticket_id} has been updated successfully."}

    def ticket_login(self, username: str, password: str) -> dict[str, Any]:
        if not (username and password):
            return {"success": False}
        self.data["current_user"] = username
        return {"success": True}

    def ticket_get_login_status(self) -> dict[str, Any]:
        return {"login_status": bool(self.data["current_user"])}

    def logout(self) -> dict[str, Any]:
        was_in, self.data["current_user"] = bool(self.data["current_user"]), None
        return {"success": was_in}

    def get_user_tickets(self, status: str | None = None) -> list[Any]:
        if not self.data["current_user"]:
            return [{"error": "User not authenticated. Please log in to view tickets."}]
        mine = [ticket for ticket in self.data["ticket_queue"] if ticket["created_by"] == self.data["current_user"]]
        return [ticket for ticket in mine if not status or ticket["status"].lower() == status.lower()]
