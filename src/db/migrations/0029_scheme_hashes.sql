CREATE TABLE "scheme_hashes" (
	"user_id" bigint NOT NULL,
	"scheme" text NOT NULL,
	"sealed" text NOT NULL,
	CONSTRAINT "scheme_hashes_user_id_scheme_pk" PRIMARY KEY("user_id","scheme")
);
--> statement-breakpoint
ALTER TABLE "service_passwords" ADD COLUMN "scheme_hashes" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "scheme_hashes" ADD CONSTRAINT "scheme_hashes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- As NT hashes: they end with the password that they are of, and when the person is disabled, whatever statement does that.
CREATE OR REPLACE FUNCTION "drop_nt_hash"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	DELETE FROM "nt_hashes" WHERE "user_id" = NEW."id";
	DELETE FROM "scheme_hashes" WHERE "user_id" = NEW."id";
	RETURN NULL;
END
$$;
