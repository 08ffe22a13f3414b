-- The previous release stores that an entry was given a password, and not which one it was. Where the entry is equal to its
-- record by that, it is the one of the record.
CREATE FUNCTION "name_entry_password"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."password_id" := (SELECT "password_id" FROM "users" WHERE "id" = NEW."record_id");
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "directory_entries_password_id" BEFORE UPDATE OF "password_digest" ON "directory_entries" FOR EACH ROW WHEN (NEW."kind" = 'user' AND NEW."version" = NEW."synced_version" AND NEW."password_digest" IS DISTINCT FROM OLD."password_digest" AND NEW."password_id" IS NOT DISTINCT FROM OLD."password_id") EXECUTE FUNCTION "name_entry_password"();
