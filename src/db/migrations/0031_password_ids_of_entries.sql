-- A change that some directory has not got yet may be one of the password, which is then not the one that its entry shows.
-- The previous release may write it meanwhile, so that this comes after the trigger of 0030.
UPDATE "users" SET "password_id" = gen_random_uuid() WHERE "status" = 1 AND "password_id" IS NULL AND "id" IN /* portions */ (SELECT "record_id" FROM "directory_entries" WHERE "kind" = 'user' AND NOT "deleted" AND "withdraws_at" IS NOT NULL) /* end */;
