from emucc import main

main()
