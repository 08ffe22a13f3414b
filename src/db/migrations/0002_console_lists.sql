DROP INDEX "user_roles_role_index";--> statement-breakpoint
CREATE INDEX "groups_characters_index" ON "groups" USING gin (string_to_array(lower("group_name"), null));--> statement-breakpoint
CREATE INDEX "users_name_index" ON "users" USING btree (lower("nickname"),"id");--> statement-breakpoint
CREATE INDEX "users_created_index" ON "users" USING btree ("created_at","id");--> statement-breakpoint
CREATE INDEX "users_updated_index" ON "users" USING btree ("updated_at","id");--> statement-breakpoint
CREATE INDEX "users_local_index" ON "users" USING btree ("id") WHERE "users"."source_user_id" = '';--> statement-breakpoint
CREATE INDEX "users_characters_index" ON "users" USING gin (string_to_array(lower("nickname"), null));--> statement-breakpoint
CREATE INDEX "user_roles_role_index" ON "user_roles" USING btree ("role_id","user_id");