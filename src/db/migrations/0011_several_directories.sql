CREATE TABLE "directories" (
	"number" smallint PRIMARY KEY NOT NULL,
	"place" jsonb,
	"shape" jsonb,
	CONSTRAINT "directories_number_check" CHECK ("directories"."number" between 1 and 9)
);
--> statement-breakpoint
INSERT INTO "directories" ("number", "place", "shape") VALUES (1,
	(SELECT "value" FROM "facts" WHERE "name" = 'directory'),
	(SELECT "value" FROM "facts" WHERE "name" = 'directory_shape'));
--> statement-breakpoint
DELETE FROM "facts" WHERE "name" IN ('directory', 'directory_shape');--> statement-breakpoint
DROP INDEX "directory_entries_due_index";--> statement-breakpoint
DROP INDEX "directory_entries_pending_index";--> statement-breakpoint
ALTER TABLE "directory_entries" DROP CONSTRAINT "directory_entries_kind_record_id_pk";--> statement-breakpoint
ALTER TABLE "ignored_entries" DROP CONSTRAINT "ignored_entries_pkey";--> statement-breakpoint
ALTER TABLE "directory_entries" ADD COLUMN "directory" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "ignored_entries" ADD COLUMN "directory" smallint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "directory_entries" ADD CONSTRAINT "directory_entries_directory_kind_record_id_pk" PRIMARY KEY("directory","kind","record_id");--> statement-breakpoint
ALTER TABLE "ignored_entries" ADD CONSTRAINT "ignored_entries_directory_dn_hash_pk" PRIMARY KEY("directory","dn_hash");--> statement-breakpoint
CREATE INDEX "directory_entries_due_index" ON "directory_entries" USING btree ("directory","next_at") WHERE "directory_entries"."version" <> "directory_entries"."synced_version";--> statement-breakpoint
CREATE INDEX "directory_entries_pending_index" ON "directory_entries" USING btree ("directory","kind","record_id") WHERE "directory_entries"."version" <> "directory_entries"."synced_version";