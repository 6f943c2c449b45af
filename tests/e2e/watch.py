"""What no page may do: break its own security policy, raise, or call another host."""

from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError

# Reported through the console, so that it survives a navigation.
_LISTEN = """
document.addEventListener("securitypolicyviolation", (event) => {
  console.error("CSP violation: " + event.violatedDirective + " " + event.blockedURI);
});
"""


class Watch:
    """Collects faults from every page of the contexts it watches over."""

    def __init__(self, url: str) -> None:
        self._host = urlsplit(url).netloc
        self.faults: list[str] = []
        self.cut_off = False  # while a test keeps the server out of reach

    def over(self, context: BrowserContext) -> None:
        """Watch every page that `context` opens from now on."""
        context.add_init_script(_LISTEN)
        context.on("console", self._console)
        context.on("weberror", self._raised)
        context.on("request", self._request)
        context.on("response", self._response)

    def _console(self, message: ConsoleMessage) -> None:
        # What the network refused is judged by its status.
        refused = message.text.startswith("Failed to load resource") or (
            self.cut_off and "Failed to fetch" in message.text
        )
        if "Content Security Policy" in message.text or (message.type == "error" and not refused):
            self.faults.append(message.text)

    def _raised(self, error: WebError) -> None:
        self.faults.append(f"{_where(error.page)}: {error.error}")

    def _request(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in {"http", "https"} and parts.netloc != self._host:
            self.faults.append(f"another host: {request.url}")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            self.faults.append(f"{response.status} {response.request.method} {response.url}")


def _where(page: Page | None) -> str:
    return page.url if page else "a page"
