ALTER TABLE "service_entries" ADD COLUMN "lease_until" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "service_entries" ADD COLUMN "lease_owner" text;