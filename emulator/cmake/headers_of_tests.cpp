// Here so that there is something that the precompiled headers of tests (tests.cmake) belong to.
