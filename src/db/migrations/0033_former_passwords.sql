ALTER TABLE "directory_entries" ADD COLUMN "former_passwords" jsonb;--> statement-breakpoint
-- Whatever statement stores another one (the previous release, too).
CREATE FUNCTION "keep_former_password"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW."former_passwords" := (
		SELECT jsonb_agg("former" ORDER BY "place") FROM (
			SELECT "former", min("place") AS "place" FROM jsonb_array_elements_text(
				jsonb_build_array(substr(OLD."password_digest", length('held ') + 1)) || coalesce(OLD."former_passwords", '[]')
			) WITH ORDINALITY AS "all" ("former", "place")
			GROUP BY "former" ORDER BY "place" LIMIT 20
		) AS "newest");
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "directory_entries_former_passwords" BEFORE UPDATE OF "password_digest" ON "directory_entries" FOR EACH ROW WHEN (OLD."password_digest" LIKE 'held %' AND NEW."password_digest" IS DISTINCT FROM OLD."password_digest") EXECUTE FUNCTION "keep_former_password"();
