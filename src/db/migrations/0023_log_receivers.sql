CREATE TABLE "log_receivers" (
	"receiver" text PRIMARY KEY NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"hash" text DEFAULT '' NOT NULL,
	"taken_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"lease_owner" uuid,
	"lease_until" timestamp (3) with time zone
);
