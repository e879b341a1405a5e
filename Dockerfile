# The web table and the service for programs: docker build -t overtrick . && docker run -p 8000:8000 overtrick
FROM python:3.12-slim AS build
WORKDIR /src
COPY requirements.lock requirements-build.lock ./
# Nothing is installed whose hash is not in these files; what builds the package stays behind.
RUN pip install --no-cache-dir --require-hashes -r requirements-build.lock \
    && pip install --no-cache-dir --require-hashes --prefix=/install -r requirements.lock
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN pip install --no-cache-dir --no-index --no-build-isolation --no-deps --prefix=/install .

FROM python:3.12-slim
COPY --from=build /install /usr/local
RUN useradd --create-home overtrick && install -d -o overtrick /data
USER overtrick
ENV OVERTRICK_TABLES=/data/web.sqlite OMP_NUM_THREADS=1 PYTHONUNBUFFERED=1
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s CMD \
    python -c "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/api/health')"
# Programs on other machines need a key: -e OVERTRICK_API_KEYS="a-key-of-sixteen-characters-or-more"
CMD ["overtrick", "serve", "--host", "0.0.0.0", "--port", "8000"]
