// Here so that there is something that precompiled headers belong to.
