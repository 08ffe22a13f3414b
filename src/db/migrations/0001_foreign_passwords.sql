ALTER TABLE "directory_entries" ADD COLUMN "foreign_password_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "foreign_told_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "directory_entries_foreign_password_index" ON "directory_entries" USING btree ("foreign_password_at") WHERE "directory_entries"."foreign_password_at" is not null;--> statement-breakpoint
-- Entries that were left as they are, because of their password, are compared once more: it was not noted of them.
UPDATE "directory_entries" SET "entry_csn" = null WHERE "kind" = 'user' AND "error" <> '' AND "version" = "synced_version";
