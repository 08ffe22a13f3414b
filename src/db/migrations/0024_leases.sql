CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"lease_owner" text NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL
);
