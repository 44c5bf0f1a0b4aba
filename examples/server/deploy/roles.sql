-- Creates the two database roles of compose.yaml. psql runs this script once, as a superuser, in the new database.
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD

-- The owner migrates. The servers do not know its password.
create role latchkey_owner login password :'owner_password';
alter database latchkey owner to latchkey_owner;
-- The schema exists before a server starts. Otherwise, the role of the servers could create and own it.
create schema latchkey authorization latchkey_owner;

-- The role of the servers gets its rights on the tables from `latchkey migrate --service-role=latchkey_service`. The
-- example server also creates a schema for its files.
create role latchkey_service login password :'service_password';
grant create on database latchkey to latchkey_service;
