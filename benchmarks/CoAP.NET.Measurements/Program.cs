using CoAP.Measurements;
using CoAP.Measurements.Clients;
using CoAP.Measurements.Drip;
using CoAP.Measurements.HandOffs;
using CoAP.Measurements.Meshes;
using CoAP.Measurements.Profiles;
using CoAP.Measurements.Servers;
using CoAP.Measurements.Serving;
using CoAP.Measurements.Siege;
using CoAP.Measurements.Transports;

if (!RunSettings.TryParse(args, out var settings, out var error))
{
    Console.Error.WriteLine(error);
    Console.Error.WriteLine(RunSettings.Usage);
    return 2;
}

return settings.Command switch
{
    "transports" => await TransportsCommand.RunAsync(settings),
    "servers" => await ServersMeasurement.RunAsync(settings),
    "drip" => await DripCommand.RunAsync(settings),
    "siege" => await SiegeCommand.RunAsync(settings),
    "clients" => await ClientsMeasurement.RunAsync(settings),
    "handoff" => await HandOffCommand.RunAsync(settings),
    "mesh" => await MeshCommand.RunAsync(settings),
    "ask" => AskCommand.Run(settings),
    "fold" => FoldCommand.Run(),
    "serve" => await ServeCommand.RunAsync(settings),
    _ => Unknown(settings.Command),
};

static int Unknown(string command)
{
    Console.Error.WriteLine($"There is no measurement '{command}'.");
    Console.Error.WriteLine(RunSettings.Usage);
    return 2;
}
