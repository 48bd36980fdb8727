# The web app in a container: docker build --tag plywise . && docker run --publish 8765:8765 plywise
# Games are kept in /data. compose.yaml adds a PostgreSQL server.

FROM debian:trixie-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends python3 python3-venv
RUN python3 -m venv /opt/plywise
COPY pyproject.toml README.md LICENSE /build/
COPY src /build/src
COPY examples /build/examples
RUN /opt/plywise/bin/pip install --no-cache-dir "/build[postgres]"

FROM debian:trixie-slim
RUN apt-get update && apt-get install --yes --no-install-recommends python3 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/plywise /opt/plywise
RUN useradd --create-home plywise && install --directory --owner plywise /data /cache
USER plywise
ENV PATH=/opt/plywise/bin:/usr/bin:/bin PLYWISE_DATA=/data PLYWISE_CACHE=/cache
VOLUME ["/data", "/cache"]
EXPOSE 8765
HEALTHCHECK --interval=10s --start-period=30s CMD ["python3", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8765/health', timeout=5)"]
CMD ["plywise", "serve", "--host", "0.0.0.0"]
