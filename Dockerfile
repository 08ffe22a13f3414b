# Steward in a container: small, not root, and able to run with a read-only root file system. Data is in /data.
#   docker build -t steward . && docker run -p 8888:8888 -v steward:/data steward
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-bookworm-slim
RUN install -d -o node -g node -m 0700 /data
WORKDIR /opt/steward
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY --from=build /build/openapi openapi
COPY --from=build /build/src/db/migrations src/db/migrations
LABEL org.opencontainers.image.title="Steward" \
  org.opencontainers.image.description="People and groups of an organisation in SQL, mirrored into an LDAP directory" \
  org.opencontainers.image.licenses="Apache-2.0" \
  org.opencontainers.image.version="0.1.0"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8888 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 8888
# No backslash in it: the command is JSON, whose \/ is a slash.
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}${(process.env.BASE_PATH ?? '').replace(/[/]$/, '')}/api/v1/operations/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/commands/steward.js"]
CMD ["serve"]
