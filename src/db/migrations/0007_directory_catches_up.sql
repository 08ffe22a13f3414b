ALTER TABLE "directory_entries" ADD COLUMN "tried_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "withdraws_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "late_told_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "password_digest" text;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "repair_digest" text;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "repairs" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "directory_entries_withdraws_index" ON "directory_entries" USING btree ("withdraws_at") WHERE "directory_entries"."withdraws_at" is not null;