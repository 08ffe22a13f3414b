ALTER TABLE "backups" ADD COLUMN "lease_owner" uuid;--> statement-breakpoint
ALTER TABLE "backups" ADD COLUMN "lease_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "backups_running_key" ON "backups" USING btree ("status") WHERE "backups"."status" = 'running';