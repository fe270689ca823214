# One image for web, worker, beat and the server for agents; compose.yaml says which of them a container is.
# It needs no package of the system, and writes only to /var/lib/dossier and /tmp: its root may be read-only.
FROM python:3.13-slim-trixie

WORKDIR /opt/dossier

COPY requirements.lock ./
RUN pip install --no-cache-dir --require-hashes --no-deps -r requirements.lock

COPY citations citations
COPY common common
COPY config config
COPY entities entities
COPY research research
COPY manage.py /usr/local/bin/dossier

ENV PYTHONPATH=/opt/dossier \
    PYTHONUNBUFFERED=1 \
    DOSSIER_STATIC=/opt/dossier/static \
    DOSSIER_VAR=/var/lib/dossier

# Static files are the same for every installation, so they are collected once, and what Python compiles too. The folder
# for data stays empty: a key that were made here would be everybody's.
RUN DOSSIER_VAR=/tmp/var dossier collectstatic --noinput -v 0 \
    && rm -rf /tmp/var \
    && python -m compileall -q . \
    && install -d -o 10001 -g 10001 -m 700 /var/lib/dossier

USER 10001:10001
EXPOSE 8000 8001
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["python", "-m", "config.alive", "web"]
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4", "--worker-tmp-dir", "/dev/shm", "--no-control-socket", "--access-logfile", "-"]
