CREATE TABLE "ignored_entries" (
	"dn_hash" text PRIMARY KEY NOT NULL,
	"dn" text NOT NULL,
	"creator" text DEFAULT '' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "entry_uuid" text;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "add_digest" text;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "kept" jsonb;