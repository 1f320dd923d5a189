using CoAP.Load.Front;

return args switch
{
    _ => LoadCommand.Run(args),
};
