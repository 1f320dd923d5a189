using CoAP.Tool;
using CoAP.Tool.Running;

return await CoapTool.RunAsync(args, Terminal.OfProcess()).ConfigureAwait(false);
