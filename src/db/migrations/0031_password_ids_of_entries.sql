-- A change that some directory has not got yet may be one of the password, which is then not the one that its entry shows.
-- The previous release may write it meanwhile, so that this comes after the trigger of 0030.
-- The account of a disabled person in Active Directory keeps its password: which one it is, is not told either.
UPDATE "users" SET "password_id" = gen_random_uuid() WHERE "password_id" IS NULL AND "id" IN /* portions */ (SELECT e."record_id" FROM "directory_entries" e JOIN "users" u ON u."id" = e."record_id" WHERE e."kind" = 'user' AND NOT e."deleted" AND (u."status" = 1 AND e."withdraws_at" IS NOT NULL OR u."status" <> 1 AND e."password_digest" IS NOT NULL)) /* end */;
