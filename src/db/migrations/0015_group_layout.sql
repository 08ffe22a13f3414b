CREATE TABLE "flat_group_names" (
	"group_id" bigint PRIMARY KEY NOT NULL,
	"group_type" text NOT NULL,
	"made_from" text NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "directories" ADD COLUMN "group_layout" text DEFAULT 'nested' NOT NULL;--> statement-breakpoint
ALTER TABLE "flat_group_names" ADD CONSTRAINT "flat_group_names_group_id_groups_id_fk" FOREIGN KEY ("group_id") REFERENCES "public"."groups"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "flat_group_names_key" ON "flat_group_names" USING btree ("group_type","name_key");--> statement-breakpoint
ALTER TABLE "directories" ADD CONSTRAINT "directories_layout_check" CHECK ("directories"."group_layout" in ('nested', 'flat'));