-- The previous release stores that an entry was given a password, and not which one it was. Where the entry is equal to its
-- record by that, it is the one of the record.
CREATE FUNCTION "name_entry_password"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."password_id" := (SELECT "password_id" FROM "users" WHERE "id" = NEW."record_id");
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "directory_entries_password_id" BEFORE UPDATE OF "password_digest" ON "directory_entries" FOR EACH ROW WHEN (NEW."kind" = 'user' AND NEW."version" = NEW."synced_version" AND NEW."password_digest" IS DISTINCT FROM OLD."password_digest" AND NEW."password_id" IS NOT DISTINCT FROM OLD."password_id") EXECUTE FUNCTION "name_entry_password"();--> statement-breakpoint
-- A change that some directory has not got yet may be one of the password, which is then not the one that its entry shows.
-- The previous release may write it meanwhile, so that this comes after the trigger.
UPDATE "users" SET "password_id" = gen_random_uuid() WHERE "status" = 1 AND "password_id" IS NULL AND "id" IN /* portions */ (SELECT "record_id" FROM "directory_entries" WHERE "kind" = 'user' AND NOT "deleted" AND "withdraws_at" IS NOT NULL) /* end */;
