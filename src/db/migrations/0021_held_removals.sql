ALTER TABLE "directories" ADD COLUMN "max_removals" integer DEFAULT 20 NOT NULL;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "held_among" integer;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "held_told_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "directory_entries_held_index" ON "directory_entries" USING btree ("directory") WHERE "directory_entries"."held_among" is not null;