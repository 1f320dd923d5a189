using CoAP.Load.Compare;
using CoAP.Load.Echo;
using CoAP.Load.Front;

return args switch
{
    ["compare", .. var rest] => CompareCommand.Run(rest),
    ["echo", .. var rest] => await EchoCommand.RunAsync(rest),
    _ => LoadCommand.Run(args),
};
