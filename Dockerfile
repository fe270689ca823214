# One image for web, worker and beat; compose.yaml says which of them a container is.
FROM python:3.12-slim

ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
WORKDIR /app

# what WeasyPrint sets PDF with, and the typeface that stands in for signs and scripts that ours lacks
RUN apt-get update -qq \
    && apt-get install -y -qq --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*

COPY requirements.lock .
RUN pip install --no-cache-dir --require-hashes --no-deps -r requirements.lock

COPY manage.py ./
COPY citations citations
COPY common common
COPY config config
COPY entities entities
COPY research research

# Static files are the same for every installation, so they are collected once; the key is used for this line only.
RUN DOSSIER_SECRET_KEY=collectstatic python manage.py collectstatic --noinput -v 0 \
    && useradd --system --no-create-home dossier \
    && chown -R dossier var
USER dossier
EXPOSE 8000
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000", "--workers", "2", "--threads", "4", "--access-logfile", "-"]
